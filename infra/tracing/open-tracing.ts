import { AsyncLocalStorage } from 'node:async_hooks';
import type { Span } from '@opentelemetry/api';
import { forgetOldest } from '#domain/lru.ts';
import type { TracedCause, Tracing } from '#domain/ports/tracing/tracing.ts';

interface TracingOptions {
  /** Base URL of an OTLP/HTTP receiver. */
  readonly endpoint: string;
  /** Share of requests without a trace of their own, 0 to 1. */
  readonly ratio: number;
  readonly version: string;
}

/** Records whose trace is remembered. */
const MAX_KNOWN = 50_000;
const FLUSH_MS = 1_000;
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

const known = () => {
  const traces = new Map<string, string>();
  const key = ({ tenant, position }: TracedCause): string => `${position}/${tenant}`;
  return {
    learn(cause: TracedCause, traceparent: string): void {
      traces.set(key(cause), traceparent);
      if (traces.size > MAX_KNOWN) forgetOldest(traces);
    },
    of: (cause: TracedCause): string | undefined => traces.get(key(cause)),
  };
};

/** The packages are loaded here alone: a server without a receiver has none of them. */
const openTracer = async ({ endpoint, ratio, version }: TracingOptions) => {
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } = await import('@opentelemetry/api');
  const { BatchSpanProcessor, ParentBasedSampler, TraceIdRatioBasedSampler, TracerProvider } = await import(
    '@opentelemetry/sdk-trace'
  );
  const { resourceFromAttributes } = await import('@opentelemetry/resources');
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces` });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'faultline', 'service.version': version }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: FLUSH_MS })],
  });
  const tracer = provider.getTracer('faultline', version);
  const below = (traceparent: string | undefined) => {
    const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent ?? '') ?? [];
    if (traceId === undefined || spanId === undefined || flags === undefined) return ROOT_CONTEXT;
    const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
    return trace.setSpanContext(ROOT_CONTEXT, parent);
  };
  return {
    begin: (name: string, parent: string | undefined, isServer = false): Span =>
      tracer.startSpan(name, { kind: isServer ? SpanKind.SERVER : SpanKind.INTERNAL }, below(parent)),
    failed: (span: Span): void => void span.setStatus({ code: SpanStatusCode.ERROR }),
    close: () => provider.shutdown(),
  };
};

const parentOf = (span: Span): string => {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
};

export const openTracing = async (options: TracingOptions): Promise<Tracing> => {
  const { begin, failed, close } = await openTracer(options);
  const requests = new AsyncLocalStorage<string>();
  return {
    ...known(),
    current: () => requests.getStore(),
    async serve(traceparent, work) {
      const span = begin('request', traceparent, true);
      const served = await requests.run(parentOf(span), work);
      // A span that does not end is not sent.
      if (served === null) return;
      const { method, route, status } = served;
      span.updateName(`${method} ${route}`);
      span.setAttributes({ 'http.request.method': method, 'http.route': route, 'http.response.status_code': status });
      if (status >= 500) failed(span);
      span.end();
    },
    async during(name, traceparents, work) {
      const parents = new Set(traceparents.filter((one) => one !== undefined));
      const spans = [...parents].map((parent) => begin(name, parent));
      try {
        return await work();
      } catch (error) {
        for (const span of spans) failed(span);
        throw error;
      } finally {
        for (const span of spans) span.end();
      }
    },
    close: () => close().catch(() => undefined),
  };
};
