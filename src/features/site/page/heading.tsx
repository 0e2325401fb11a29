/** The heading of a section. */
export function Heading({ id, title, text }: { id: string; title: string; text?: string }) {
  return (
    <div className="heading">
      <h2 id={id}>{title}</h2>
      {text === undefined ? null : <p>{text}</p>}
    </div>
  );
}
