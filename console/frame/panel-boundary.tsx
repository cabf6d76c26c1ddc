import { Button } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { Notice } from '#console/states/notice.tsx';
import { errorMessage } from '#domain/fault.ts';

interface Props {
  /** As in "The map could not be shown". */
  readonly what: string;
  readonly children: ReactNode;
  /** Before it is tried again. */
  readonly reset?: () => void;
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
    return (
      <Notice
        kind="bad"
        title={`${what} could not be shown`}
        ways={
          <Button variant="default" onClick={again}>
            Try again
          </Button>
        }
      >
        {errorMessage(error)}
      </Notice>
    );
  }
}
