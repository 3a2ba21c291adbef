//! Makes the four exchanges with ureq over rustls.
//!
//!     client ORIGIN [webpki]
//!
//! It trusts what rustls-native-certs finds (SSL_CERT_FILE first); with "webpki" the roots that were compiled in.

use std::{env, error::Error, process::exit};
use ureq::http::Response;
use ureq::tls::{Certificate, RootCerts, TlsConfig};
use ureq::{Agent, Body};

const QUESTION: &str = r#"{"question":"what is it?","numbers":[1,2.5,null]}"#;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().collect();
    let origin = &arguments[1];
    let roots = if arguments.len() > 2 { RootCerts::WebPki } else { native_roots() };
    let config = Agent::config_builder()
        .http_status_as_error(false)
        .tls_config(TlsConfig::builder().root_certs(roots).build());
    let agent = Agent::new_with_config(config.build());
    show(agent.get(format!("{origin}/chunked")).call()?)?;
    show(agent.get(format!("{origin}/gzip")).call()?)?;
    show(agent.post(format!("{origin}/echo")).content_type("application/json").send(QUESTION)?)?;
    let last = agent.get(format!("{origin}/repeated")).call()?;
    let parts: Vec<_> = last.headers().get_all("x-part").iter().collect();
    println!("{parts:?}");
    if show(last)? == 418 {
        exit(22);
    }
    Ok(())
}

fn native_roots() -> RootCerts {
    let found = rustls_native_certs::load_native_certs();
    RootCerts::from(found.certs.iter().map(|der| Certificate::from_der(der).to_owned()))
}

fn show(mut response: Response<Body>) -> Result<u16, Box<dyn Error>> {
    let status = response.status().as_u16();
    println!("{status} {}", response.body_mut().read_to_string()?);
    Ok(status)
}
