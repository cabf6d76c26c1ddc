const PASSWORD_MIN_CHARACTERS = 12;
/** A bound, so that hashing cannot be made expensive by length. */
const PASSWORD_MAX_CHARACTERS = 256;

/** What is wrong with a new password, or null; worded so that the value is not shown with it. */
export const passwordProblem = (password: string): string | null => {
  if ([...password].length < PASSWORD_MIN_CHARACTERS) return `must have at least ${PASSWORD_MIN_CHARACTERS} characters`;
  if (password.length > PASSWORD_MAX_CHARACTERS) return `must have at most ${PASSWORD_MAX_CHARACTERS} characters`;
  return null;
};
