/** The program was started wrongly: one sentence that says how to start it. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The message of whatever was thrown. */
export function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
