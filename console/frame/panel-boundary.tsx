import { Button } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { isProblem } from '#console/api/link/problem.ts';
import { Failure } from '#console/states/failure.tsx';
import { UnloadedPart } from '#console/states/loaded-part.ts';
import { Notice } from '#console/states/notice.tsx';
import { RequestId } from '#console/states/request-id.tsx';
import { errorMessage } from '#domain/fault.ts';
import * as text from './texts.ts';

interface Props {
  /** Noun, as in "Couldn't display map". */
  readonly what: string;
  readonly children: ReactNode;
  /** Called before a retry. */
  readonly reset?: () => void;
}

interface Met {
  readonly what: string;
  readonly error: unknown;
  readonly again: () => void;
}

function Unloaded({ what }: Pick<Met, 'what'>) {
  return (
    <Notice
      kind="bad"
      title={text.notLoaded(what)}
      ways={<Button onClick={() => location.reload()}>{text.reload}</Button>}
    >
      {text.updated}
    </Notice>
  );
}

function Broken({ what, error, again }: Met) {
  return (
    <Notice
      kind="bad"
      title={text.notDisplayed(what)}
      ways={
        <Button variant="default" onClick={again}>
          {text.retry}
        </Button>
      }
    >
      {errorMessage(error)}
      <RequestId error={error} />
    </Notice>
  );
}

/** An error in one panel leaves the others alone. */
export class PanelBoundary extends Component<Props, { readonly error: unknown }> {
  override readonly state: { readonly error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error };
  }

  override render(): ReactNode {
    const { what, children, reset } = this.props;
    const { error } = this.state;
    if (error === null) return children;
    const again = (): void => {
      reset?.();
      this.setState({ error: null });
    };
    if (error instanceof UnloadedPart) return <Unloaded what={what} />;
    // A server that is starting or has too much to do is asked again by itself.
    if (isProblem(error, 429, 503)) return <Failure error={error} what={what} retry={again} />;
    return <Broken what={what} error={error} again={again} />;
  }
}
