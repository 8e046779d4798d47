import { useEffect, type ReactNode } from 'react';
import { useHeadingFocus } from './focus-return.ts';

/** A page opens with its title and one sentence that answers; actions right, the primary one last. */
export function PageHead({ title, answer, actions }: { title: string; answer?: ReactNode; actions?: ReactNode }) {
  const heading = useHeadingFocus();
  useEffect(() => {
    document.title = `${title} | Sluice`;
  }, [title]);
  return (
    <div className="page-head">
      <div className="title grow">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {answer !== undefined && <span className="answer">{answer}</span>}
      </div>
      {actions}
    </div>
  );
}
