package bot;

import arena.v1.GameStart;
import com.google.protobuf.ByteString;
import java.util.random.RandomGenerator;

/**
 * One game at a table.
 *
 * @param rules the rules of its match
 * @param seat the seat that the bot plays, 0 to 3
 * @param random the only source of chance: it starts from the arena's seed, so that the same
 *     tournament can be played again
 */
public record Game(Rules rules, int seat, RandomGenerator random) {
  /** The game that a message begins. */
  static Game of(Rules rules, GameStart start) {
    return new Game(rules, start.getSeat(), random(start.getBotSeed()));
  }

  /** {@code java.util.Random}, whose numbers are the same in every JDK. */
  private static RandomGenerator random(ByteString bytes) {
    long seed = 0;
    for (byte part : bytes) {
      seed = seed << Byte.SIZE | Byte.toUnsignedLong(part);
    }
    return new java.util.Random(seed);
  }

  /** Whether a seat is on the bot's side. */
  public boolean isOurs(int other) {
    return (other - seat) % 2 == 0;
  }
}
