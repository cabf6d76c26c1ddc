export const selectFilterRange = (from: string, to: string, events: string) =>
  `${from} – ${to}: ${events}. Select to filter to this range.`;
export const eventsOverTime = 'Events over time';
export const start = 'From';
export const end = 'To';
export const apply = 'Apply';
export const enterStartEndTime = 'Enter a start or an end time';
export const endMustBeAfter = 'The end must be after the start';
export const now = 'Now';
