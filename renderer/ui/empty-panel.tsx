import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { Empty, Panel } from './panel.tsx';

interface Props {
  title: string;
  help: string;
  href: string;
  /** The button with the next step; null: the user lacks the permission for it. */
  link: string | null;
}

/** In place of a page that has no content yet. */
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
