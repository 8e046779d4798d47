import { useEditorContext } from '../editor-context.tsx';

/** What runs and what one edits, side by side; undo, redo, Test, Stop, Start. */
export function Header() {
  const { record } = useEditorContext();
  return (
    <header className="editor-head" data-region="header">
      <h1>{record.name}</h1>
    </header>
  );
}
