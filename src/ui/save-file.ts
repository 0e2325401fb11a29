/** Hands a file that was made here to the browser's downloads. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Browsers that ask where to save read it later.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
