// Refuses requests with too many headers, and with an expectation that the server does not meet.
import type { RequestHandler } from 'express'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'

const maxHeaders = 100

export const headerCheck: RequestHandler = (request, response, next) => {
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
  next()
}
