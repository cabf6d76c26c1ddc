/** The outcome of a change, by the words of its event. */
const NOT_MADE =
  /\b(?:failed|fails|failure|cancell?ed|aborted|rejected|declined|skipped|postponed|scheduled|planned|not (?:started|made|applied))\b/i;
const UNDONE = /\b(?:failed|failure|cancell?ed|aborted|rolled back|roll ?back|reverted|undone|withdrawn)\b/i;

/** True if something was changed: canceled changes cannot break anything. */
export const wasMade = (title: string): boolean => !NOT_MADE.test(title);

/** True if it reverts an earlier change of the same CI. */
export const undoes = (title: string): boolean => UNDONE.test(title);
