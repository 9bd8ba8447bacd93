package bot;

import arena.v1.Chair;
import arena.v1.Lane;

/**
 * Where the bot plays and as what.
 *
 * @param address where the arena listens
 * @param token the bot's token
 * @param chair which of its side's two seats; unspecified: as the token fixes it
 * @param lane which half of a set; unspecified: as the token fixes it, or both
 * @param name the bot's name
 * @param version its version label, may be empty
 * @param tables how many games at once
 * @param identity whom to trust and what to show where the arena speaks TLS
 */
public record Options(
    Address address,
    String token,
    Chair chair,
    Lane lane,
    String name,
    String version,
    int tables,
    Identity identity) {}
