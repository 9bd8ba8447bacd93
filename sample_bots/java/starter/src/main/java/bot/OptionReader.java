package bot;

import arena.v1.Chair;
import arena.v1.Lane;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/**
 * Reads the options from flags and environment variables; a flag wins over its variable.
 *
 * @param name the bot's name where neither says one
 * @param version its version label, likewise
 * @param tables how many tables to announce, likewise
 */
public record OptionReader(String name, String version, int tables) {
  private static final int MAX_TABLES = 1024;
  private static final int MAX_NAME = 64;

  private enum Setting {
    ADDRESS("--address", "ARENA_ADDR"),
    TOKEN("--token", "ARENA_TOKEN"),
    CHAIR("--chair", "ARENA_CHAIR"),
    LANE("--lane", "ARENA_LANE"),
    NAME("--name", "ARENA_NAME"),
    VERSION("--version-label", "ARENA_VERSION"),
    TABLES("--tables", ""),
    TLS_CA("--tls-ca", "ARENA_TLS_CA"),
    TLS_CERT("--tls-cert", "ARENA_TLS_CERT"),
    TLS_KEY("--tls-key", "ARENA_TLS_KEY");

    private final String flag;
    private final String variable;

    Setting(String flag, String variable) {
      this.flag = flag;
      this.variable = variable;
    }

    private static Setting ofFlag(String flag) throws ExitException {
      for (Setting setting : values()) {
        if (setting.flag.equals(flag)) {
          return setting;
        }
      }
      throw ExitException.usage("there is no option '" + flag + "'; " + flags());
    }

    private static String flags() {
      StringBuilder text = new StringBuilder("the options are");
      for (Setting setting : values()) {
        text.append(' ').append(setting.flag);
      }
      return text.toString();
    }
  }

  /** The options of a command line; an exit with code 2 where they make no sense. */
  public Options read(String[] arguments, Map<String, String> environment) throws ExitException {
    Map<Setting, String> given = readEnvironment(environment);
    readFlags(arguments, given);
    Address address = readAddress(given.get(Setting.ADDRESS));
    if (given.get(Setting.TOKEN).isEmpty()) {
      throw ExitException.usage("the arena wants a token; set ARENA_TOKEN or give --token");
    }
    return new Options(
        address,
        given.get(Setting.TOKEN),
        readChair(given.get(Setting.CHAIR)),
        readLane(given.get(Setting.LANE)),
        readName(given.get(Setting.NAME), 1),
        readName(given.get(Setting.VERSION), 0),
        readTables(given.get(Setting.TABLES)),
        Identity.read(
            address,
            given.get(Setting.TLS_CA),
            given.get(Setting.TLS_CERT),
            given.get(Setting.TLS_KEY)));
  }

  private Map<Setting, String> readEnvironment(Map<String, String> environment) {
    Map<Setting, String> given = new EnumMap<>(Setting.class);
    for (Setting setting : Setting.values()) {
      given.put(setting, environment.getOrDefault(setting.variable, ""));
    }
    given.replace(Setting.NAME, "", name);
    given.replace(Setting.VERSION, "", version);
    given.put(Setting.TABLES, Integer.toString(tables));
    return given;
  }

  /** Both {@code --flag value} and {@code --flag=value}. */
  private static void readFlags(String[] arguments, Map<Setting, String> given)
      throws ExitException {
    for (int i = 0; i < arguments.length; i++) {
      int equals = arguments[i].indexOf('=');
      if (equals >= 0) {
        Setting setting = Setting.ofFlag(arguments[i].substring(0, equals));
        given.put(setting, arguments[i].substring(equals + 1));
        continue;
      }
      Setting setting = Setting.ofFlag(arguments[i]);
      if (++i == arguments.length) {
        throw ExitException.usage("the option " + setting.flag + " needs a value");
      }
      given.put(setting, arguments[i]);
    }
  }

  private static Address readAddress(String text) throws ExitException {
    if (text.isEmpty()) {
      throw ExitException.usage(
          "where is the arena? set ARENA_ADDR or give --address "
              + "HOST:PORT, tls:HOST:PORT or unix:PATH");
    }
    return Address.parse(text);
  }

  private static Chair readChair(String text) throws ExitException {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "" -> Chair.CHAIR_UNSPECIFIED;
      case "first" -> Chair.CHAIR_FIRST;
      case "second" -> Chair.CHAIR_SECOND;
      default ->
          throw ExitException.usage("the chair must be 'first' or 'second', not '" + text + "'");
    };
  }

  private static Lane readLane(String text) throws ExitException {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "" -> Lane.LANE_UNSPECIFIED;
      case "a" -> Lane.LANE_A;
      case "b" -> Lane.LANE_B;
      default -> throw ExitException.usage("the lane must be 'a' or 'b', not '" + text + "'");
    };
  }

  private static String readName(String text, int least) throws ExitException {
    int length = text.codePointCount(0, text.length());
    if (length < least || length > MAX_NAME) {
      throw ExitException.usage(
          "a bot's name has 1 to 64 characters, its version label at most 64");
    }
    return text;
  }

  private static int readTables(String text) throws ExitException {
    try {
      int tables = Integer.parseInt(text);
      if (1 <= tables && tables <= MAX_TABLES) {
        return tables;
      }
    } catch (NumberFormatException error) {
      // The sentence below says what was given.
    }
    throw ExitException.usage("--tables must be from 1 to " + MAX_TABLES + ", not " + text);
  }
}
