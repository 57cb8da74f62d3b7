use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;

use crate::play::{GameStartError, PlayError};

/// An answer that says what was wrong, and what would be right.
#[derive(Debug)]
pub(super) struct ApiError {
    status: StatusCode,
    sentence: String,
}

/// What a handler answers.
pub(super) type ApiResult = Result<Response, ApiError>;

impl ApiError {
    pub fn new(status: StatusCode, sentence: impl ToString) -> ApiError {
        ApiError { status, sentence: sentence.to_string() }
    }

    /// It cannot be done now.
    pub fn conflict(sentence: impl ToString) -> ApiError {
        ApiError::new(StatusCode::CONFLICT, sentence)
    }

    pub fn too_large() -> ApiError {
        ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "the body of the request is too large")
    }

    /// It cannot be done ever.
    pub fn unfit(sentence: impl ToString) -> ApiError {
        ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, sentence)
    }
}

impl From<PlayError> for ApiError {
    fn from(error: PlayError) -> ApiError {
        match error {
            PlayError::GameStart(_) | PlayError::Answer(_) | PlayError::DiceCount { .. } => {
                ApiError::unfit(error)
            }
            _ => ApiError::conflict(error),
        }
    }
}

impl From<GameStartError> for ApiError {
    fn from(error: GameStartError) -> ApiError {
        ApiError::unfit(error)
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        json_response(self.status, &json!({ "error": self.sentence }))
    }
}

/// An answer that no cache keeps.
pub(super) fn json_response(status: StatusCode, value: &impl Serialize) -> Response {
    match serde_json::to_vec(value) {
        Ok(body) => {
            let headers =
                [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")];
            (status, headers, body).into_response()
        }
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// The answer that all went well.
pub(super) fn ok(value: &impl Serialize) -> ApiResult {
    Ok(json_response(StatusCode::OK, value))
}

/// A request's body, if all of it came.
pub(super) fn whole(body: Result<Bytes, BytesRejection>) -> Result<Bytes, ApiError> {
    body.map_err(|rejection| match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => ApiError::too_large(),
        status => ApiError::new(status, "the body of the request did not come whole"),
    })
}

/// Reads a request's body.
pub(super) fn read<T: DeserializeOwned>(
    body: Result<Bytes, BytesRejection>,
) -> Result<T, ApiError> {
    serde_json::from_slice(&whole(body)?).map_err(|error| {
        let sentence = format!("the body of the request is not what is expected here: {error}");
        ApiError::new(StatusCode::BAD_REQUEST, sentence)
    })
}
