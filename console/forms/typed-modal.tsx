import { Modal, type ModalProps } from '@mantine/core';
import { useState } from 'react';

/** A dialog in which something is typed: from then on a click beside it, easily made by chance, does not close it. */
export function TypedModal(props: ModalProps) {
  const { opened } = props;
  const [isTyped, setTyped] = useState(false);
  if (!opened && isTyped) setTyped(false);
  return <Modal {...props} closeOnClickOutside={!isTyped} onInput={() => setTyped(true)} />;
}
