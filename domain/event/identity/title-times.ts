/** How titles write days and times, as parts of regular expressions over lower-case text; each is bounded. */

export const WEEKDAY = '(?:(?:mon|tue|wed|thu|fri|sat|sun)(?:[a-z]{0,4}day)?,? )?';
const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
export const CLOCK = '\\d{1,2}:\\d\\d(?::\\d\\d(?:[.,]\\d{1,9})?)?(?: ?(?:z|utc|gmt|am|pm|[+-]\\d\\d:?\\d\\d)\\b)?';
export const DAY = `(?:\\d{4}[-/.]\\d{1,2}[-/.]\\d{1,2}|\\d{1,2}[-/.]\\d{1,2}[-/.]\\d{4}|(?:\\d{1,2} )?${MONTH} \\d{1,4}(?:,? \\d{4})?)`;
