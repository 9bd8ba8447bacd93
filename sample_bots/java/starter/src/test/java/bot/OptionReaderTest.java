package bot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import arena.v1.Chair;
import arena.v1.Lane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Flags and variables: what is read, and the sentence where it cannot be. */
class OptionReaderTest {
  private static final Map<String, String> GIVEN =
      Map.of("ARENA_ADDR", "unix:/tmp/a.sock", "ARENA_TOKEN", "t0");

  private static Options read(Map<String, String> environment, String... arguments)
      throws ExitException {
    return new OptionReader("someone", "1", 64).read(arguments, environment);
  }

  private static String mistake(Map<String, String> environment, String... arguments) {
    ExitException exit = assertThrows(ExitException.class, () -> read(environment, arguments));
    assertEquals(2, exit.code());
    return exit.getMessage();
  }

  @Test
  void readsTheVariables() throws ExitException {
    Options options =
        read(
            Map.of(
                "ARENA_ADDR", "127.0.0.1:50051",
                "ARENA_TOKEN", "t0",
                "ARENA_CHAIR", "second",
                "ARENA_LANE", "B",
                "ARENA_NAME", "other",
                "ARENA_VERSION", "7"));
    assertEquals("127.0.0.1:50051", options.address().toString());
    assertEquals("t0", options.token());
    assertEquals(Chair.CHAIR_SECOND, options.chair());
    assertEquals(Lane.LANE_B, options.lane());
    assertEquals("other", options.name());
    assertEquals("7", options.version());
  }

  @Test
  void hasDefaults() throws ExitException {
    Options options = read(GIVEN);
    assertEquals("someone", options.name());
    assertEquals("1", options.version());
    assertEquals(64, options.tables());
    assertEquals(Chair.CHAIR_UNSPECIFIED, options.chair());
    assertEquals(Lane.LANE_UNSPECIFIED, options.lane());
  }

  @Test
  void letsAFlagWin() throws ExitException {
    Options options = read(GIVEN, "--token", "t1", "--tables=1", "--chair", "first");
    assertEquals("t1", options.token());
    assertEquals(1, options.tables());
    assertEquals(Chair.CHAIR_FIRST, options.chair());
  }

  @Test
  void wantsAddressAndToken() {
    assertTrue(mistake(Map.of()).startsWith("where is the arena? set ARENA_ADDR"));
    assertEquals(
        "the arena wants a token; set ARENA_TOKEN or give --token",
        mistake(Map.of("ARENA_ADDR", "unix:/tmp/a.sock")));
  }

  @ParameterizedTest
  @CsvSource({
    "--chair,   third, the chair must be",
    "--lane,    c,     the lane must be",
    "--tables,  0,     --tables must be from 1 to 1024",
    "--tables,  1025,  --tables must be from 1 to 1024",
    "--tables,  many,  --tables must be from 1 to 1024",
    "--name,    '',    a bot's name has 1 to 64 characters",
    "--address, '',    where is the arena?",
    "--nonsense, 1,    there is no option '--nonsense'",
  })
  void saysWhatIsWrong(String flag, String value, String sentence) {
    assertTrue(mistake(GIVEN, flag, value).startsWith(sentence), mistake(GIVEN, flag, value));
  }

  @Test
  void wantsAValueForAFlag() {
    assertEquals("the option --token needs a value", mistake(GIVEN, "--token"));
  }

  @ParameterizedTest
  @CsvSource({
    "localhost:1,          dns:///localhost:1,      true,  false",
    "127.0.0.9:50051,      dns:///127.0.0.9:50051,  true,  false",
    "[::1]:50051,          dns:///[::1]:50051,      true,  false",
    "arena.example:65535,  dns:///arena.example:65535, false, false",
    "tls:10.0.0.1:443,     dns:///10.0.0.1:443,     false, true",
  })
  void readsAddresses(String text, String target, boolean local, boolean tls) throws ExitException {
    Address address = Address.parse(text);
    assertInstanceOf(Address.Tcp.class, address);
    assertEquals(target, address.target());
    assertEquals(local, address.local());
    assertEquals(tls, address.tls());
    assertEquals(text, address.toString());
  }

  @ParameterizedTest
  @CsvSource({
    "unix:/run/a b/ref.sock, unix:/run/a%20b/ref.sock",
    "unix:///run/ref.sock,   unix:/run/ref.sock",
  })
  void readsSockets(String text, String target) throws ExitException {
    Address address = Address.parse(text);
    assertEquals(target, address.target());
    assertTrue(address.local());
    assertFalse(address.tls());
    assertEquals(text, address.toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"unix:", "unix://", "host", "host:0", "host:65536", "::1:5", "a b:1"})
  void refusesOtherAddresses(String text) {
    assertThrows(ExitException.class, () -> Address.parse(text));
  }

  @Test
  void looksAtTheFilesForTls(@TempDir Path folder) throws IOException {
    Path junk = Files.writeString(folder.resolve("junk.pem"), "junk");
    String missing = folder.resolve("missing.pem").toString();
    Map<String, String> tls = Map.of("ARENA_ADDR", "tls:arena.example:1", "ARENA_TOKEN", "t0");
    assertEquals(missing + " cannot be read: no such file", mistake(tls, "--tls-ca", missing));
    assertEquals(junk + " holds no certificate in PEM", mistake(tls, "--tls-ca", junk.toString()));
    assertTrue(mistake(tls, "--tls-cert", junk.toString()).startsWith("a certificate needs its"));
  }

  @Test
  void saysThatFilesForTlsNeedTls() throws ExitException {
    Map<String, String> plain =
        Map.of("ARENA_ADDR", "arena.example:1", "ARENA_TOKEN", "t0", "ARENA_TLS_CA", "ca.pem");
    assertTrue(mistake(plain).endsWith("write tls:arena.example:1"));
    assertEquals("", read(plain, "--address", "localhost:1").identity().authority());
  }
}
