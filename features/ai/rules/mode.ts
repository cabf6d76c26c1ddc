/** Header `X-AI-Mode`: `rules` never asks a model, `model` requires one, `auto` uses the rules when a model fails. */
export const AI_MODES = ['auto', 'rules', 'model'] as const;
