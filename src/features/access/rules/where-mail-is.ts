/** Where a newcomer without a mail server reads what was sent to them; null where mail is really sent, or nobody's to read. */
export function whereMailIs(config: { hasPublicUrl: boolean; smtpUrl: string | undefined }): string | null {
  return config.hasPublicUrl || config.smtpUrl !== undefined ? null : '/dev/mail';
}
