import type { Embedder } from '#domain/ports/model/embedder.ts';
import type { ModelProvider } from '#domain/ports/model/model-provider.ts';
import type { Outside, Provided } from '#features/feature.ts';
import { openEmbedder } from './use-cases/open-embedder.ts';
import { openModel } from './use-cases/open-model.ts';

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
