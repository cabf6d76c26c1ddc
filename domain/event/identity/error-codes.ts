/** Tokens of a title that name an error: `E1234`, `ORA-00600`, `HTTP 503`, `0x80070005`, SQLSTATE, errno names. */

const VENDOR =
  '(?:ORA|TNS|PLS|RMAN|CRS|ASM|DIA|HY|MY|MSG|SP2|IMP|EXP|SQL|DB2|LDAP|NTDS|WMI|AADSTS|HRESULT)-?\\d{3,6}[A-Z]?';
const HTTP = '(?:HTTP(?:/\\d(?:\\.\\d)?)?|status)(?: ?(?:code|status|error))?[ :=-]{0,2}[1-5](?:\\d\\d|xx)';
const REASON =
  '[45]\\d\\d(?= (?:service unavailable|bad gateway|gateway time|internal server error|not found|forbidden|unauthorized|too many))';
/** A bare word needs three digits: `error: 17 connections` counts something. */
const NUMBERED =
  '(?:E\\d{3,6}|(?:ERR|ERROR|MSG)[ :=_#-]{0,2}\\d{3,6}|(?:errno|error code|event id|exit(?: code| status)|signal)[ :=_#-]{0,2}\\d{1,6})';
const SQLSTATE = 'SQLSTATE[ :=\\[(]{0,3}[0-9A-Z]{5}';
const HEXADECIMAL = '0x[0-9A-F]{4,8}';
const NAMED =
  '(?:SIG(?:KILL|SEGV|TERM|ABRT|BUS|HUP|PIPE|ILL|FPE)|NXDOMAIN|SERVFAIL|ERR_[A-Z_]{3,40}|E(?:ACCES|ADDRINUSE|ADDRNOTAVAIL|AGAIN|AI_AGAIN|BADF|BUSY|CONNABORTED|CONNREFUSED|CONNRESET|DQUOT|EXIST|FBIG|HOSTDOWN|HOSTUNREACH|INTR|INVAL|IO|ISDIR|LOOP|MFILE|NAMETOOLONG|NETDOWN|NETRESET|NETUNREACH|NFILE|NOBUFS|NODEV|NOENT|NOMEM|NOSPC|NOTCONN|NOTDIR|NOTEMPTY|NOTFOUND|PERM|PIPE|PROTO|RANGE|ROFS|SRCH|STALE|TIMEDOUT|XDEV))';

const CODE = new RegExp(`\\b(?:${[VENDOR, HTTP, REASON, SQLSTATE, HEXADECIMAL, NUMBERED, NAMED].join('|')})\\b`, 'gi');

/** `HTTP/1.1 503`, `status code: 503` and `HTTP 503` are one code. */
const normalise = (code: string): string => {
  const upper = code.toUpperCase();
  const status = /^(?:HTTP|STATUS|[45]\d\d$)/.test(upper) ? /[1-5](?:\d\d|XX)$/.exec(upper) : null;
  return status === null ? upper.replace(/[ :=[(#]+/g, ' ') : `HTTP ${status[0]}`;
};

/** Error codes of a title in upper case, sorted, without repeats. */
export const errorCodesOf = (title: string): readonly string[] => {
  const codes = title.match(CODE);
  return codes === null ? [] : [...new Set(codes.map(normalise))].sort();
};
