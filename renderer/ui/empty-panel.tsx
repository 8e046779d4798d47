import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { Empty, Panel } from './panel.tsx';

interface Props {
  title: string;
  help: string;
  href: string;
  /** The button that leads there; null: the user has no right to what it leads to. */
  link: string | null;
}

/** Instead of a page that has nothing to show yet. */
export function EmptyPanel({ title, help, href, link }: Props) {
  return (
    <Panel>
      <Empty title={title} help={help}>
        {link !== null && (
          <Button component={Link} href={href} variant="filled">
            {link}
          </Button>
        )}
      </Empty>
    </Panel>
  );
}
