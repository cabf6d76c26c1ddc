const PASSWORD_MIN_CHARACTERS = 12;
/** A bound, so that hashing cannot be made expensive by length. */
const PASSWORD_MAX_CHARACTERS = 256;

/** The fault of a new password, or null; the sentence does not show the value. */
export const passwordProblem = (password: string): string | null => {
  if ([...password].length < PASSWORD_MIN_CHARACTERS) return `must have at least ${PASSWORD_MIN_CHARACTERS} characters`;
  if (password.length > PASSWORD_MAX_CHARACTERS) return `must have at most ${PASSWORD_MAX_CHARACTERS} characters`;
  return null;
};
