// Splits the URL of a call into where to connect and what to ask for there.

export interface UrlParts {
  origin: string
  /** Without brackets. */
  hostname: string
  /** With the query. */
  path: string
}

/** What a parser of URLs returns as it is; without ".", which can make a segment that leads elsewhere. */
const plainPath = /^\/[A-Za-z0-9\-_~/:@!$&()*+,;=]*$/

/** @returns what `URL` returns; calls to one target come in rows, so the last origin is not parsed again */
export function urlSplitter(): (text: string) => UrlParts {
  let last = { origin: '', hostname: '' }
  return (text) => {
    const { origin, hostname } = last
    if (origin !== '' && text.startsWith(origin)) {
      const path = text.slice(origin.length)
      if (plainPath.test(path)) return { origin, hostname, path }
    }
    const url = new URL(text)
    last = { origin: url.origin, hostname: url.hostname.replace(/^\[|\]$/g, '') }
    return { ...last, path: url.pathname + url.search }
  }
}
