import type { ModelRequest } from '#domain/ai/model.ts';
import type { Embedder, EmbedRequest } from '#domain/ports/model/embedder.ts';
import type { ModelProvider } from '#domain/ports/model/model-provider.ts';
import type { Crypto } from '#domain/ports/ports.ts';
import type { Outside, Provided } from '#features/feature.ts';
import { type ModelOptions, openModel } from './use-cases/open-model.ts';

const isJson = (text: string): boolean => {
  try {
    return Array.isArray(JSON.parse(text));
  } catch {
    return false;
  }
};

/** A provider that answers lists of texts with lists of vectors (`features/ai/stores/open-embeddings.ts`), made fit for use as other models are. */
const openEmbedder = (
  provider: ModelProvider,
  options: ModelOptions & { readonly crypto: Pick<Crypto, 'sha256'> },
): Embedder => {
  const model = openModel(provider, options);
  const requestOf = ({ purpose, texts, until }: EmbedRequest): ModelRequest => {
    const user = JSON.stringify(texts);
    return {
      purpose,
      system: '',
      user,
      schema: { name: 'vectors', json: {} },
      maxOutput: 0,
      until,
      key: options.crypto.sha256(JSON.stringify(['vectors', model.model, user])),
      problemOf: (text) => (isJson(text) ? null : 'not valid vectors'),
    };
  };
  return {
    model: model.model,
    async embed(request, signal) {
      const reply = await model.complete(requestOf(request), signal);
      if ('failure' in reply) return { failure: reply.failure };
      return { vectors: JSON.parse(reply.text) as number[][], usage: reply.usage };
    },
  };
};

const portsOf = ({ ports, after, log }: Outside) => ({ ...ports, after, log });

/** The model that is named; its client is loaded only then. */
const modelOf = async (outside: Outside): Promise<ModelProvider | null> => {
  const { model, prices, apiKey, baseUrl } = outside.config.openai;
  if (model === null) return null;
  const { openProvider } = await import('./stores/open-provider.ts');
  const ports = portsOf(outside);
  return openModel(openProvider({ apiKey, baseUrl, model, ...ports }), { ...ports, prices });
};

/** Its prices are not known: those of the configuration are of the other model. */
const NO_PRICES = { input: null, output: null };

/** The same for vectors. */
const embedderOf = async (outside: Outside): Promise<Embedder | null> => {
  const { embeddingModel: model, apiKey, baseUrl } = outside.config.openai;
  if (model === null) return null;
  const { openEmbeddings } = await import('./stores/open-embeddings.ts');
  const ports = portsOf(outside);
  return openEmbedder(openEmbeddings({ apiKey, baseUrl, model, ...ports }), { ...ports, prices: NO_PRICES });
};

export const provideModels = async (outside: Outside): Promise<Provided> => ({
  ports: { model: await modelOf(outside), embedder: await embedderOf(outside) },
});
