import { aiSettings } from '#application/records/tenant-settings.ts';
import type { EvidencePack } from '#domain/ai/evidence.ts';
import type { ModelProvider } from '#domain/ports/model/model-provider.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { drawMark, MARK_COUNT } from '#features/ai/rules/prompt/clean.ts';
import type { PromptWording } from '#features/ai/rules/prompt/prompt.ts';
import { NO_PSEUDONYMS, pseudonymsOf } from '#features/ai/rules/prompt/pseudonyms.ts';
import { type AskedQuestion, namesItem, textsOf } from '#features/ai/rules/prompt/question.ts';

/** Returns the form of foreign texts in one request; there is room for nothing yet. */
export const wordingFor = async (
  { ports, tenant }: { readonly tenant: string; readonly ports: Pick<Ports, 'records' | 'ids'> },
  pack: EvidencePack,
  question: AskedQuestion | undefined,
  model: ModelProvider,
): Promise<PromptWording> => {
  const { pseudonymise } = await aiSettings(ports.records, tenant);
  const items = question === undefined ? pack : [namesItem(question), ...pack];
  const texts = [
    ...pack.flatMap(({ label, facts }) => [label, ...facts.map(({ value }) => String(value))]),
    ...(question === undefined ? [] : textsOf(question)),
  ];
  const number = ports.ids.secret(1).charCodeAt(0) % MARK_COUNT;
  return {
    mark: drawMark(number, texts),
    pseudonyms: pseudonymise ? pseudonymsOf(items) : NO_PSEUDONYMS,
    correction: model.correction(),
    room: 0,
  };
};
