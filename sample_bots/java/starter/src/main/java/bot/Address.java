package bot;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where the arena listens. {@code toString} is the address as people write it. */
public sealed interface Address {
  /** The target as gRPC wants it. */
  String target();

  /** Whether it is on this machine: then there is no proxy and no keepalive. */
  boolean local();

  /** Whether it speaks TLS. */
  boolean tls();

  /** A socket in the file system. */
  record Unix(String text, String target) implements Address {
    private static final String SCHEME = "unix:";

    static Unix of(String text) throws ExitException {
      String path = text.substring(SCHEME.length()).replaceFirst("^//", "");
      if (path.isEmpty()) {
        throw ExitException.usage("the address '" + text + "' names no socket; write unix:PATH");
      }
      try {
        URI target = new URI("unix", null, Path.of(path).toAbsolutePath().toString(), null);
        return new Unix(text, target.toASCIIString());
      } catch (URISyntaxException error) {
        throw ExitException.usage("the address '" + text + "' is no path: " + error.getReason());
      }
    }

    @Override
    public boolean local() {
      return true;
    }

    @Override
    public boolean tls() {
      return false;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  /** A host and a port, such as {@code 127.0.0.1:50051} or {@code [::1]:50051}. */
  record Tcp(String host, String port, boolean tls) implements Address {
    private static final Pattern FORM =
        Pattern.compile("(?<host>[^\\s:\\[\\]/]+|\\[[0-9a-fA-F:.]+]):(?<port>\\d{1,5})");
    private static final Pattern LOOPBACK =
        Pattern.compile("localhost|127(\\.\\d+){3}|\\[::1]", Pattern.CASE_INSENSITIVE);

    static Tcp of(String text) throws ExitException {
      boolean tls = text.startsWith(TLS);
      Matcher match = FORM.matcher(tls ? text.substring(TLS.length()) : text);
      if (!match.matches() || !isPort(Integer.parseInt(match.group("port")))) {
        throw ExitException.usage(
            "'" + text + "' is no address; write HOST:PORT, tls:HOST:PORT or unix:PATH");
      }
      return new Tcp(match.group("host"), match.group("port"), tls);
    }

    private static boolean isPort(int number) {
      return 1 <= number && number <= 65535;
    }

    @Override
    public String target() {
      return "dns:///" + host + ":" + port;
    }

    @Override
    public boolean local() {
      return LOOPBACK.matcher(host).matches();
    }

    @Override
    public String toString() {
      return (tls ? TLS : "") + host + ":" + port;
    }
  }

  /** What an address with TLS begins with. */
  String TLS = "tls:";

  /** The address that a text names; an exit with code 2 where it names none. */
  static Address parse(String text) throws ExitException {
    return text.startsWith(Unix.SCHEME) ? Unix.of(text) : Tcp.of(text);
  }
}
