import type { ReactNode } from 'react';

/** An action inside a sentence. */
export function TextButton({ onClick, children }: { onClick: () => void; children?: ReactNode }) {
  return (
    <button type="button" className="as-link" onClick={onClick}>
      {children}
    </button>
  );
}
