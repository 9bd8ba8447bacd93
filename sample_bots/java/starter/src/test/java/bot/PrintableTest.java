package bot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class PrintableTest {
  @Test
  void escapesControlCharacters() {
    String raw = "a\0\t\r\nb\033[31m\u007f\u0080\u009b";
    assertEquals("a\\x00\\x09\\x0d\\x0ab\\x1b[31m\\x7f\\x80\\x9b", Printable.of(raw));
  }

  @Test
  void leavesAllElse() {
    String text = "the 9♣ of 'Zoë' ~ \u00a0 🂡";
    assertEquals(text, Printable.of(text));
  }

  @Test
  void cutsLongTexts() {
    assertEquals("🂡".repeat(500), Printable.of("🂡".repeat(500)));
    assertEquals("🂡".repeat(500) + "...", Printable.of("🂡".repeat(501)));
  }
}
