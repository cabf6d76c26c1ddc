export const rootCausesConfidenceCorrect = (percent: string) =>
  `Root causes with this confidence are correct about ${percent} of the time`;
export const rawScoreAdjustedScore = (value: string, value2: string, value3: string) =>
  `raw score ${value}, adjusted score ${value2}, threshold ${value3}`;
export const explanation = 'Explanation';
export const and = 'and';
export const ofWord = 'of';
export const topBarRawScore =
  'Top bar: raw score. Bottom bar: score adjusted for coincidence. Events match if the adjusted score is above the threshold (line).';
export const more = 'more';
export const worseSince = ', worse since';
export const unassigned = 'Unassigned';
export const assignedTo = (assignee: string) => `Assigned to ${assignee}`;
export const copied = 'Copied';
export const copiedWithoutThe = (lacks: string) => `Copied without the ${lacks}`;
export const copyFailedSelectText = 'Copy failed. Select the text and copy it.';
export const copy = 'Copy';
export const occurrences = (count: string) => `${count} occurrences`;
export const acknowledged = (by: string | undefined) => (by === undefined ? 'Acknowledged' : `Acknowledged by ${by}`);
export const ago = (age: string) => `${age} ago`;
