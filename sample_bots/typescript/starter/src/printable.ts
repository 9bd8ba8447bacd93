/** What is told of a line; the arena's own sentences are shorter. */
const MAX_CHARACTERS = 500;

/**
 * A text as one line that is safe to print, whatever an arena made it of: control characters as
 * `\x1b`, and not without end.
 */
export function printable(text: string): string {
  const characters = Array.from(text);
  const line = characters
    .slice(0, MAX_CHARACTERS)
    .join("")
    .replace(/\p{Cc}/gu, escaped);
  return characters.length > MAX_CHARACTERS ? `${line}...` : line;
}

function escaped(character: string): string {
  return `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
}
