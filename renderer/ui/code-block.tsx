import { CopyButton } from './copy-button.tsx';

export function CodeBlock({ title, code }: { title: string; code: string }) {
  return (
    <div className="code">
      <header>
        <span className="grow">{title}</span>
        <CopyButton text={code} />
      </header>
      <pre>{code}</pre>
    </div>
  );
}
