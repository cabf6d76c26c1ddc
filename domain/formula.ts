/** Text that a spreadsheet takes for a formula, also behind apostrophes: in a CSV file it gets one more apostrophe before it. */
export const FORMULA = /^'*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;
