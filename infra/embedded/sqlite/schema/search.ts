/** One search word for tenant and kind. It ends with a digit, so that no ending of it is taken for that of a word. */
const SCOPE = (row: string): string => `'t' || lower(hex(${row}.tenant)) || 'x' || ${row}.kind || '0'`;
const INDEX = `INSERT INTO search_text (rowid, scope, title, text, concepts)
    VALUES (new.n, ${SCOPE('new')}, new.title, new.text, new.concepts);`;
/** A list, whatever somebody has written there by hand. */
const KEYWORDS = (row: string): string => `json_each(iif(json_valid(${row}.keywords), ${row}.keywords, '[]'))`;
const TAG = `INSERT OR IGNORE INTO search_keyword SELECT new.tenant, value, new.n FROM ${KEYWORDS('new')};`;
const UNTAG = `DELETE FROM search_keyword
    WHERE tenant = old.tenant AND n = old.n AND keyword IN (SELECT value FROM ${KEYWORDS('old')});`;

/**
 * Documents that people search. Triggers keep the index of words and that of keywords, so that deleting a row deletes all of it.
 * `search_word` has the words that are written in full, by which typing errors are found out.
 */
export const SEARCH = `
CREATE TABLE search_document (
  n INTEGER PRIMARY KEY, tenant TEXT NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL, at INTEGER NOT NULL,
  title TEXT NOT NULL, text TEXT NOT NULL, concepts TEXT NOT NULL, keywords TEXT NOT NULL, facts TEXT NOT NULL) STRICT;
CREATE UNIQUE INDEX search_document_id ON search_document (tenant, kind, id);
CREATE INDEX search_document_at ON search_document (tenant, kind, at, id);
CREATE VIRTUAL TABLE search_text USING fts5 (
  scope, title, text, concepts, content = '', contentless_delete = 1, tokenize = 'porter unicode61');
CREATE TABLE search_keyword (
  tenant TEXT NOT NULL, keyword TEXT NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (tenant, keyword, n)) STRICT, WITHOUT ROWID;
CREATE TRIGGER search_document_made AFTER INSERT ON search_document BEGIN ${INDEX} ${TAG} END;
CREATE TRIGGER search_document_gone AFTER DELETE ON search_document BEGIN
  DELETE FROM search_text WHERE rowid = old.n; ${UNTAG}
END;
CREATE TRIGGER search_document_said AFTER UPDATE ON search_document
WHEN old.title <> new.title OR old.text <> new.text OR old.concepts <> new.concepts BEGIN
  DELETE FROM search_text WHERE rowid = old.n; ${INDEX}
END;
CREATE TRIGGER search_document_tagged AFTER UPDATE ON search_document WHEN old.keywords <> new.keywords BEGIN
  ${UNTAG} ${TAG}
END;
CREATE TABLE search_word (n INTEGER PRIMARY KEY, tenant TEXT NOT NULL, word TEXT NOT NULL) STRICT;
CREATE UNIQUE INDEX search_word_word ON search_word (tenant, word);
CREATE VIRTUAL TABLE search_word_parts USING fts5 (
  word, content = '', contentless_delete = 1, tokenize = 'trigram', detail = none);
CREATE TRIGGER search_word_made AFTER INSERT ON search_word BEGIN
  INSERT INTO search_word_parts (rowid, word) VALUES (new.n, new.word);
END;
CREATE TRIGGER search_word_gone AFTER DELETE ON search_word BEGIN
  DELETE FROM search_word_parts WHERE rowid = old.n;
END;
`;
