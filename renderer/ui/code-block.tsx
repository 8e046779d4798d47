import { CopyButton } from './copy-button.tsx';

export function CodeBlock({ title, code }: { title: string; code: string }) {
  return (
    <div className="code">
      <header>
        <span className="grow">{title}</span>
        <CopyButton text={code} />
      </header>
      {/* Focusable, so that a long line can be scrolled by keyboard. */}
      <pre tabIndex={0} aria-label={title}>
        {code}
      </pre>
    </div>
  );
}
