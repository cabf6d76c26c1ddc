const ASKS = String.raw`(?:what|what's|whats|who|who's|whose|why|when|where|how|which|is|are|was|were|did|does|do|has|have|had|can|could|should|will|since when|until when)\b`;
/** A word alone, such as `and why`, belongs to the question before; so does an earlier time, which is compared. */
const ALONE = `(?:why|how|when|where|who|which|since when|until when|how long|how often|by whom?)[ ?.!]*$`;
const JOINT = new RegExp(
  String.raw`(?:[,;]? (?:and|but|plus)(?: also)? |, (?=\S+ (?:\S+ )?(?:it|that|this|them|those)\b)|\? +(?:and |but |also )?(?=any )|\? +(?:and |but |also )?)(?=any |${ASKS})(?!${ALONE})(?!.{0,60}\bbefore\b)`,
  'i',
);
const ASKED = new RegExp(
  `(?:^|[.!?,] +)(?:(?:and|so|ok|okay|hi|hey|hello|please) )?(?:${ASKS}|(?:list|show|give|tell|name|count|any|anything)\\b)[^.!?]*$`,
  'i',
);
const MOST = 3;

/** `payments slow again? what did raj find out`: a mark makes some words a question. */
const isMarked = (text: string, part: string): boolean =>
  part.trim().includes(' ') && text[text.indexOf(part) + part.length] === '?';

/** The questions of one message, at most three; a statement is part of the question behind it. */
export function questionsIn(text: string): readonly string[] {
  const found: string[] = [];
  for (const part of text.split(JOINT)) {
    const last = found.at(-1);
    if (last === undefined || ((ASKED.test(last) || isMarked(text, last)) && found.length < MOST)) found.push(part);
    else
      found[found.length - 1] = text.slice(
        text.indexOf(last),
        text.indexOf(part, text.indexOf(last) + last.length) + part.length,
      );
  }
  return found.map((part) => part.trim());
}
