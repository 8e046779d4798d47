import { ErrorNote } from './error-note.tsx';
import { Icon } from './icon.tsx';
import { CloseButton } from './icon-button.tsx';

/** The result of the last action on this page. */
export type Notice = { kind: 'done'; text: string } | { kind: 'failed'; text: string; error: Error };

export function NoticeLine({ notice, onClose }: { notice: Notice | null; onClose: () => void }) {
  const close = <CloseButton onClick={onClose} />;
  // The output element exists before its text, so that screen readers announce the change.
  return (
    <>
      <output className={notice?.kind === 'done' ? 'notice' : 'visually-hidden'}>
        {notice?.kind === 'done' && (
          <>
            <Icon name="check" />
            <span className="grow">{notice.text}</span>
            {close}
          </>
        )}
      </output>
      {notice?.kind === 'failed' && <ErrorNote error={notice.error} title={notice.text} />}
    </>
  );
}
