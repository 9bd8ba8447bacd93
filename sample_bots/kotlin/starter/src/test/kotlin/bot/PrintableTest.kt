package bot

import kotlin.test.Test
import kotlin.test.assertEquals

internal class PrintableTest {
    @Test
    fun `escapes control characters`() {
        val raw = "a\u0000\t\r\nb\u001b[31m\u007f\u0080\u009b"
        assertEquals("""a\x00\x09\x0d\x0ab\x1b[31m\x7f\x80\x9b""", printable(raw))
    }

    @Test
    fun `leaves all else`() {
        val text = "the 9♣ of 'Zoë' ~ \u00a0 🂡"
        assertEquals(text, printable(text))
    }

    @Test
    fun `cuts long texts`() {
        assertEquals("🂡".repeat(500), printable("🂡".repeat(500)))
        assertEquals("🂡".repeat(500) + "...", printable("🂡".repeat(501)))
    }
}
