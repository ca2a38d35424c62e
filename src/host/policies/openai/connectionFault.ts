// Why no connection came about, in a user's words, and whether it will be the same next time.

export interface ConnectionFault {
  /** Completes "the connection failed: ...". */
  readonly reason: string;
  /** What to do about a fault that lasts: ask no further. */
  readonly advice?: string;
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'no name server answers',
  EHOSTUNREACH: 'there is no way to the host',
  ENETUNREACH: 'there is no way to the host',
  ETIMEDOUT: 'the host does not answer',
  ECONNRESET: 'it was cut off',
  EPIPE: 'it was cut off',
};

/** Codes of OpenSSL's checks, as Node passes them on: nobody that is trusted has signed the certificate. */
const untrusted = /SELF_SIGNED_CERT|UNABLE_TO_GET_ISSUER_CERT|UNABLE_TO_VERIFY_LEAF_SIGNATURE|CERT_UNTRUSTED/;
/** Something else is wrong with it: its time, its host, what it is for. */
const faulty = /^CERT_|^ERR_TLS_CERT|^HOSTNAME_MISMATCH$|^INVALID_(CA|PURPOSE)$/;
/** The other side sent something that is not TLS. */
const plain = /wrong version number|packet length too long|WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG/;

/**
 * Describes what node:http or node:https threw.
 *
 * @example connectionFault({ code: 'ECONNREFUSED' }).reason // 'nothing listens there'
 */
export function connectionFault(error: unknown): ConnectionFault {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  if (untrusted.test(code)) {
    return {
      reason: `its certificate is not trusted (${message})`,
      advice:
        'if it is the right one, put it or that of its authority into a file and name that in the environment variable NODE_EXTRA_CA_CERTS',
    };
  }
  if (faulty.test(code)) {
    return {
      reason: `its certificate is not valid for it (${message.replaceAll(/[\s:]+$/g, '')})`,
      advice: 'the endpoint needs one for the host of --base-url that is valid today',
    };
  }
  if (plain.test(`${code} ${message}`))
    return { reason: 'it does not answer in TLS', advice: 'does the URL begin with http:// ?' };
  return { reason: reasons[code] ?? (message || code || 'for no reason that is known') };
}
