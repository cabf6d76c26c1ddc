import type { ConsoleFeature } from '#console/slots/feature.ts';
import { Assistant } from './assistant.tsx';

export const questions: ConsoleFeature = { id: 'questions', headerParts: [{ id: 'assistant', Part: Assistant }] };
