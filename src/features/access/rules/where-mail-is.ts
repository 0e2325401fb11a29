/** Where a newcomer without a mail server reads what was sent to them; null where it is sent, or nobody's to read. */
export function whereMailIs(config: { showsMail: boolean }): string | null {
  return config.showsMail ? '/dev/mail' : null;
}
