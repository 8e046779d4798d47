import { posix } from 'node:path';
import { Marked, type Token, type Tokens } from 'marked';
import { escapeHtml } from './html.ts';
import { createSlugs } from './slug.ts';
import { sitePath, type Source } from './sources.ts';

export interface Heading {
  depth: number;
  title: string;
  anchor: string;
}

/** A search result: a heading with the text below it, down to the next heading. */
export interface Section {
  title: string;
  /** Empty for the text before the first heading below the title. */
  anchor: string;
  text: string;
}

export interface Rendered {
  html: string;
  headings: Heading[];
  sections: Section[];
  /** Files of the repository that the page shows or links to, other than pages: pictures, programs, folders. */
  files: string[];
}

/** A heading deeper than this is part of the section above it. */
const SECTION_DEPTH_MAX = 3;
const EXTERNAL = /^(https?:|mailto:)/;
const PICTURE = /\.(png|svg)$/;

/**
 * One page's Markdown as HTML. Raw HTML in it is shown as text, never interpreted, and a link may only lead into the
 * documentation or to an http(s) or mailto address: any other scheme throws. The caller checks the targets of relative
 * links (`files`, and links.ts for pages).
 */
export function renderPage(source: Source): Rendered {
  const slugs = createSlugs();
  const headings: Heading[] = [];
  const files = new Set<string>();
  const linked = (target: string): string => {
    if (EXTERNAL.test(target) || target.startsWith('#')) return target;
    if (/^[a-z][a-z\d+.-]*:|^\/|\\/i.test(target))
      throw new Error(`${source.file} links to ${target}; expected a relative path, or an http(s) or mailto address.`);
    return siteLink(source, target, files);
  };
  const marked = new Marked({
    renderer: {
      html: ({ text }) => escapeHtml(text),
      heading({ tokens, depth }) {
        const title = plainText(tokens);
        const anchor = slugs(title);
        headings.push({ depth, title, anchor });
        const inner = this.parser.parseInline(tokens);
        if (depth === 1) return `<h1 id="${anchor}">${inner}</h1>\n`;
        const label = escapeHtml(`Link to: ${title}`);
        return `<h${depth} id="${anchor}">${inner} <a class="anchor" href="#${anchor}" aria-label="${label}">#</a></h${depth}>\n`;
      },
      link({ href, title, tokens }) {
        const hint = title ? ` title="${escapeHtml(title)}"` : '';
        return `<a href="${escapeHtml(linked(href))}"${hint}>${this.parser.parseInline(tokens)}</a>`;
      },
      image: ({ href, text }) => `<img src="${escapeHtml(linked(href))}" alt="${escapeHtml(text)}" loading="lazy">`,
      code: ({ text, lang = '' }) => codeBlock(text, lang),
      table(token) {
        const row = (cells: readonly Tokens.TableCell[]): string =>
          `<tr>${cells.map((cell) => this.tablecell(cell)).join('')}</tr>\n`;
        return `<div class="table"><table><thead>${row(token.header)}</thead><tbody>${token.rows.map(row).join('')}</tbody></table></div>\n`;
      },
    },
  });
  const tokens = marked.lexer(source.text);
  const html = marked.parser(tokens);
  return { html, headings, sections: sectionsOf(tokens), files: [...files] };
}

/** A block that the page's script gives a copy button. */
export function codeBlock(text: string, language: string): string {
  const name = /^[\w-]+/.exec(language)?.[0];
  const attribute = name === undefined ? '' : ` class="language-${name}"`;
  return `<pre tabindex="0"><code${attribute}>${escapeHtml(text)}</code></pre>\n`;
}

/** The link in the site; a file that is not a page is added to `files`. */
function siteLink(source: Source, target: string, files: Set<string>): string {
  const [path = '', anchor] = target.split('#');
  const file = posix.join(posix.dirname(source.file), decodeURI(path));
  const hash = anchor === undefined ? '' : `#${anchor}`;
  const relative = (to: string): string => posix.relative(posix.dirname(source.path), to);
  if (file.endsWith('.md')) return relative(sitePath(file).replace(/\.md$/, '.html')) + hash;
  files.add(file);
  return relative(PICTURE.test(file) ? sitePath(file) : `${sitePath(file)}.html`);
}

function sectionsOf(tokens: readonly Token[]): Section[] {
  const slugs = createSlugs();
  let current: Section = { title: '', anchor: '', text: '' };
  const sections = [current];
  for (const token of tokens) {
    const text = plainText([token]);
    const depth = isHeading(token) ? token.depth : 0;
    // Each heading gets an anchor, so that the second heading with the same text has the same anchor as on the page.
    const anchor = depth > 0 ? slugs(text) : '';
    if (depth > 1 && depth <= SECTION_DEPTH_MAX) sections.push((current = { title: text, anchor, text: '' }));
    else if (depth !== 1) current.text += `${text} `;
  }
  return sections.map((section) => ({ ...section, text: section.text.replaceAll(/\s+/g, ' ').trim() }));
}

/** The visible text of the tokens, without markup. */
function plainText(tokens: readonly Token[]): string {
  return tokens.map(tokenText).join('');
}

function tokenText(token: Token): string {
  if (isTable(token)) return [token.header, ...token.rows].flat().map(cellText).join(' ');
  if (isList(token)) return token.items.map((item) => plainText(item.tokens)).join(' ');
  if ('tokens' in token && token.tokens !== undefined) return plainText(token.tokens);
  return 'text' in token && typeof token.text === 'string' ? decoded(token.text) : ' ';
}

const isHeading = (token: Token): token is Tokens.Heading => token.type === 'heading';
const isTable = (token: Token): token is Tokens.Table => token.type === 'table';
const isList = (token: Token): token is Tokens.List => token.type === 'list';
const cellText = (cell: Tokens.TableCell): string => plainText(cell.tokens);

/** Character references that Markdown files use; marked leaves them in the text. */
function decoded(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}
