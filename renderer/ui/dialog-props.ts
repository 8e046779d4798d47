import type { Notice } from './notice-line.tsx';

/** For a dialog that closes when it is done; its page shows the text. */
export interface DoneProps {
  onDone: (text: string) => void;
  onClose: () => void;
}

/** For a dialog that reports to its page and is closed by it. */
export interface NoticeProps {
  onNotice: (notice: Notice) => void;
  onClose: () => void;
}
