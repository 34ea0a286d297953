// Refuses requests with too many headers, and with an expectation that the server does not meet.
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
  if (request.rawHeaders.length > 2 * maxHeaders)
    throw new AlmanacError(
      'request.too_large',
      `The request has more than ${maxHeaders} headers. Send fewer.`,
    )
}
