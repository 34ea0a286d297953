// Detects production environments, in which deploys need more confirmation.

/** Matches `prod`, `production`, `prod-eu`. */
export function isProduction(environment: string): boolean {
  return /^prod/i.test(environment)
}
