// Refuses requests with too many headers, with a part of a body, and with an expectation that the server does not meet.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { RequestStep } from './request-step.ts'

const maxHeaders = 100

export const headerCheck: RequestStep = (request, response) => {
  const expectation = request.headers.expect
  if (expectation !== undefined && !/(?:^|\W)100-continue(?:$|\W)/i.test(expectation)) {
    // It is not known whether the client sends the body.
    response.setHeader('Connection', 'close')
    throw new AlmanacError(
      'request.malformed',
      'The only supported value of the header Expect is 100-continue. Omit the header.',
    )
  }
  // A part would otherwise be stored as the whole (RFC 9110, 14.5).
  if (request.headers['content-range'] !== undefined)
    throw new AlmanacError(
      'request.malformed',
      'A body is always whole. Send it without the header Content-Range.',
    )
  if (request.rawHeaders.length > 2 * maxHeaders)
    throw new AlmanacError(
      'request.too_large',
      `The request has more than ${maxHeaders} headers. Send fewer.`,
    )
}
