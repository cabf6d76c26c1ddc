import type { ModelRequest } from '#domain/ai/model.ts';
import type { Embedder, EmbedRequest } from '#domain/ports/model/embedder.ts';
import type { ModelProvider } from '#domain/ports/model/model-provider.ts';
import type { Crypto } from '#domain/ports/ports.ts';
import { type ModelOptions, openModel } from './open-model.ts';

const isJson = (text: string): boolean => {
  try {
    return Array.isArray(JSON.parse(text));
  } catch {
    return false;
  }
};

/** A provider that answers lists of texts with lists of vectors (`features/ai/stores/open-embeddings.ts`), made fit for use as other models are. */
export const openEmbedder = (
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
      problemOf: (text) => (isJson(text) ? null : 'these are no vectors'),
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
