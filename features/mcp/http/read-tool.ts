import { z } from 'zod';
import { counted } from '#features/ai/rules/findings.ts';
import { spoken } from '#features/mcp/rules/fit.ts';
import { askingOf } from '#features/questions/use-cases/chat.ts';
import type { AnyQuestionTool } from '#features/questions/use-cases/tools/tool.ts';
import type { McpTool } from './toolbox.ts';

const MAX_ROWS = 50;
const USUAL_ROWS = 20;
/** Pages of the console by kind of evidence. */
const PAGES: Readonly<Record<string, string>> = { group: 'groups', ci: 'cis' };

type ReadRow = Readonly<Record<string, unknown>>;

/** Rows and their texts under the name of the rows, such as `groups`. */
const keyOf = ({ noun }: AnyQuestionTool): string => `${noun.toLowerCase()}s`;

const headOf = ({ noun, none }: AnyQuestionTool, shown: number, total: number): string => {
  if (total === 0) return none;
  return total > shown ? `${counted(total, noun)} found, the first ${shown}:` : `${counted(total, noun)} found:`;
};

/** One row is the answer itself; of several each has a line, with its ID for the next call. */
function textOf(tool: AnyQuestionTool, rows: readonly ReadRow[], total: number): string {
  const [only] = rows;
  const told = (row: ReadRow): string => {
    const id = tool.items(row)[0]?.id;
    return `${id !== undefined && (row.id === id || row.eventId === id) ? `${id}: ` : ''}${tool.tell(row, {})}`;
  };
  if (only !== undefined && total === 1)
    return [told(only), ...(tool.more?.(only) ?? []).map((one) => `- ${one}`)].join('\n');
  const lines = rows.flatMap((row) => [`- ${told(row)}`, ...(tool.more?.(row) ?? []).map((one) => `  - ${one}`)]);
  return [headOf(tool, rows.length, total), ...lines].join('\n');
}

/** A tool of questions as programs call it. */
export const readTool = (tool: AnyQuestionTool): McpTool => {
  const key = keyOf(tool);
  const { name, title, description, permission } = tool;
  return {
    name,
    title,
    description,
    permission,
    isWriting: false,
    input: tool.input.schema.extend({
      limit: z.int().min(1).max(MAX_ROWS).default(USUAL_ROWS).describe('Maximum number of rows'),
    }),
    output: z.object({
      [key]: z.array(z.record(z.string(), z.unknown())),
      total: z.int(),
      truncated: z.boolean().describe('More exists than is shown'),
    }),
    async run(context, { limit, ...params }) {
      const { rows, total } = await tool.run({ ...(await askingOf(context, null, [])), isToldInFull: true }, params);
      const shown = rows.slice(0, limit).map((row) => {
        const [item] = tool.items(row);
        const page = item && PAGES[item.kind];
        return page === undefined ? row : { ...row, link: `${context.baseUrl}/ui/${page}/${item?.id}` };
      });
      return { [key]: shown, total, truncated: total > shown.length };
    },
    // A text that a tool quotes is quoted already.
    tell: (output) => textOf(tool, spoken(output[key]) as readonly ReadRow[], output.total).replaceAll('""', '"'),
  };
};
