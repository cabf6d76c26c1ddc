/** The only place of the console that knows chance. Not `randomUUID`: that needs https or localhost. */
export const randomId = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
};
