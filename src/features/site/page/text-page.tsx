import type { ReactNode } from 'react';
import { ReadingProvider, useReading } from '#features/booking/page/reading.tsx';
import type { TextBlock, TextPart } from '#kernel/markdown.ts';
import type { SayingData, SiteFrameData, TextPageData } from '../rules.ts';
import { SiteFrame } from './site-frame.tsx';

/** A text to read: of the documentation, or what the operator publishes. */
export function TextPage({ data }: { data: TextPageData }) {
  return (
    <Framed data={data}>
      <div className="reading" data-pages={data.pages.length > 0 ? '' : undefined}>
        {data.pages.length === 0 ? null : <Pages pages={data.pages} />}
        <article>
          <h1>{data.title}</h1>
          {data.notice === null ? null : <p className="notice">{data.notice}</p>}
          {data.blocks.map((block, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a text that is drawn once
            <Block key={at} block={block} />
          ))}
        </article>
      </div>
    </Framed>
  );
}

function Block({ block }: { block: TextBlock }) {
  switch (block.kind) {
    case 'heading': {
      const Level = block.level === 3 ? 'h3' : 'h2';
      return (
        <Level id={block.id}>
          <Parts parts={block.text} />
        </Level>
      );
    }
    case 'paragraph':
      return (
        <p>
          <Parts parts={block.text} />
        </p>
      );
    case 'code':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: wider than a phone, it is scrolled by keys
        <pre tabIndex={0}>{block.code}</pre>
      );
    case 'list': {
      const List = block.ordered ? 'ol' : 'ul';
      return (
        <List>
          {block.items.map((item, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a text that is drawn once
            <li key={at}>
              <Parts parts={item} />
            </li>
          ))}
        </List>
      );
    }
  }
}

/** One thing to say, perhaps with a button that has it done. */
export function SayingPage({ data }: { data: SayingData }) {
  return (
    <Framed data={data} isPlain={data.isPlain}>
      <Saying data={data} />
    </Framed>
  );
}

function Saying({ data: { title, text, action } }: { data: SayingData }) {
  const { say } = useReading();
  return (
    <div className="saying">
      <h1>{title}</h1>
      <p>{text}</p>
      {action === null ? (
        <a className="button" href="/home">
          {say('back')}
        </a>
      ) : (
        <form method="post" action={action.to}>
          {Object.entries(action.fields).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <button type="submit" className="button main">
            {action.label}
          </button>
        </form>
      )}
    </div>
  );
}

interface FramedProps {
  data: SiteFrameData;
  isPlain?: boolean;
  children: ReactNode;
}

function Framed({ data, isPlain = false, children }: FramedProps) {
  return (
    <ReadingProvider words={data.words} reading={{ zone: 'UTC', locale: 'en', hour12: false, firstWeekday: 0 }}>
      <InFrame data={data} isPlain={isPlain}>
        {children}
      </InFrame>
    </ReadingProvider>
  );
}

function InFrame({ data, isPlain, children }: FramedProps) {
  const { say } = useReading();
  return (
    <SiteFrame data={data} say={say} isPlain={isPlain ?? false}>
      {children}
    </SiteFrame>
  );
}

function Pages({ pages }: { pages: TextPageData['pages'] }) {
  const { say } = useReading();
  return (
    <nav className="pages" aria-label={say('docs.all')}>
      <ul>
        {pages.map(({ path, title, current }) => (
          <li key={path}>
            <a href={path} aria-current={current ? 'page' : undefined}>
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Parts({ parts }: { parts: readonly TextPart[] }) {
  return parts.map(({ text, look, to }, at) => {
    const key = `${at}`;
    if (look === 'bold') return <strong key={key}>{text}</strong>;
    if (look === 'code') return <code key={key}>{text}</code>;
    if (look !== 'link') return text;
    return (
      <a key={key} href={to}>
        {text}
      </a>
    );
  });
}
